package io.tributary.backup.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waits for the result of a task in the background. */
public final class AsyncTask {
    private AsyncTask() {}

    /**
     * Waits for the end of a task.
     *
     * @param where the store and the object
     * @param action the action of the task, as in "expected to read it"
     * @throws TributaryException that of the task, else BACKUP_FAILED
     */
    public static <T> T result(Future<T> begun, String where, String action) {
        try {
            return begun.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TributaryException failure) {
                throw failure;
            }
            throw failed(where, action, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(where, action, e);
        }
    }

    private static TributaryException failed(String where, String action, Throwable cause) {
        return new TributaryException(
                ErrorCode.BACKUP_FAILED, where + ": expected to " + action + ", found " + cause, cause);
    }
}
