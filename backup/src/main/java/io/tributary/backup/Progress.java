package io.tributary.backup;

/** A listener for the progress of work on a backup's files. One thread. */
public interface Progress {
    /** Ignores the progress. */
    Progress NONE = new Progress() {
        @Override
        public void begins(Manifest.Entry file) {
            // ignored
        }

        @Override
        public void moved(long bytes) {
            // ignored
        }

        @Override
        public void ended(Manifest.Entry file, String how) {
            // ignored
        }
    };

    void begins(Manifest.Entry file);

    /** This number of bytes of the file was processed in addition. */
    void moved(long bytes);

    /** @param how the result in a few words */
    void ended(Manifest.Entry file, String how);
}
