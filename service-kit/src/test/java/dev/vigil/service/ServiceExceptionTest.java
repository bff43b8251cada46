package dev.vigil.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class ServiceExceptionTest {
    @Test
    void shouldTellWhatTheOtherThreadFailedWith() {
        ExecutionException failed = new ExecutionException("wrapped", new IllegalStateException("not the leader"));

        ServiceException exception = ServiceException.because("topic t", failed);

        assertThat(exception).hasMessage("topic t: not the leader").hasCause(failed);
    }

    @Test
    void shouldTellTheFailureItselfWhereItHasNoCause() {
        ExecutionException failed = new ExecutionException("gave up", null);

        assertThat(ServiceException.because("topic t", failed)).hasMessage("topic t: gave up");
    }
}
