package dev.vigil.dashboard.intake;

import static dev.vigil.dashboard.intake.Admission.Outcome.ADMITTED;
import static dev.vigil.dashboard.intake.Admission.Outcome.FULL;
import static dev.vigil.dashboard.intake.Admission.Outcome.LOG_IS_AWAY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AdmissionTest {
    @Test
    void shouldAdmitSoManyAndSoMuchAtATime() {
        Admission admission = new Admission(3, 100);
        assertThat(admission.enter(40)).isEqualTo(ADMITTED);
        assertThat(admission.enter(61)).isEqualTo(FULL);
        assertThat(admission.enter(60)).isEqualTo(ADMITTED);
        assertThat(admission.enter(0)).isEqualTo(ADMITTED);
        assertThat(admission.enter(0)).isEqualTo(FULL);

        admission.leave(60, true);
        assertThat(admission.enter(50)).isEqualTo(ADMITTED);
        assertThat(admission.submissions()).isEqualTo(3);
        assertThat(admission.bytes()).isEqualTo(90);
    }

    @Test
    void shouldAdmitOneAloneHoweverLargeItIs() {
        Admission admission = new Admission(3, 100);
        assertThat(admission.enter(1_000)).isEqualTo(ADMITTED);
        assertThat(admission.enter(1)).isEqualTo(FULL);
    }

    @Test
    void shouldLetOneAtATimeAskALogThatIsAwayUntilItAnswers() {
        Admission admission = new Admission(10, 100);
        assertThat(admission.enter(1)).isEqualTo(ADMITTED);
        admission.leave(1, false);

        assertThat(admission.enter(1)).as("asks").isEqualTo(ADMITTED);
        assertThat(admission.enter(1)).isEqualTo(LOG_IS_AWAY);
        admission.leave(1, false);
        assertThat(admission.enter(1)).as("asks again").isEqualTo(ADMITTED);
        admission.leave(1, true);

        assertThat(admission.enter(1)).isEqualTo(ADMITTED);
        assertThat(admission.enter(1)).isEqualTo(ADMITTED);
    }
}
