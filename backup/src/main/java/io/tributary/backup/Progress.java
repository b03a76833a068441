package io.tributary.backup;

/** Told how far work on a backup's files is. One thread. */
public interface Progress {
    /** Nobody wants to know. */
    Progress NONE = new Progress() {
        @Override
        public void begins(Manifest.Entry file) {
            // nobody wants to know
        }

        @Override
        public void moved(long bytes) {
            // nobody wants to know
        }

        @Override
        public void ended(Manifest.Entry file, String how) {
            // nobody wants to know
        }
    };

    void begins(Manifest.Entry file);

    /** So many bytes of the file more are done. */
    void moved(long bytes);

    /** @param how in a few words */
    void ended(Manifest.Entry file, String how);
}
