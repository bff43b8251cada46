package dev.vigil.scoring;

/**
 * The state belongs to a topic of the same name that was deleted. The caller stops the task: offsets of the new topic mean
 * other records. To go on, start with an empty state directory and without the old checkpoints.
 */
public final class TopicChangedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TopicChangedException(String expectedTopicId, String foundTopicId, int partition, long nextOffset) {
        super("partition " + partition + ": the state is at offset " + nextOffset + " of topic id " + expectedTopicId
                + ", the topic now has id " + foundTopicId
                + ": it was deleted and created again; to score the new one, start with an empty state directory and"
                + " without the checkpoints");
    }
}
