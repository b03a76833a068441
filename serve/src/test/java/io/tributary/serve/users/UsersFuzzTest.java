package io.tributary.serve.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tributary.common.Corpus;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A damaged file of users is read or refused with one error. bin/fuzz lets Jazzer search for more cases. */
class UsersFuzzTest {
    private static final int FILES = 500;

    private Path file;

    @BeforeEach
    void create() throws IOException {
        file = Files.createTempFile("fuzz", ".bytes");
    }

    @AfterEach
    void delete() throws IOException {
        Files.delete(file);
    }

    @FuzzTest(maxDuration = "60s")
    void users(byte[] bytes) {
        try {
            Files.write(file, bytes);
            UsersFile.read(file).forEach((name, user) -> assertEquals(name, user.name()));
        } catch (TributaryException refusal) {
            assertEquals(ErrorCode.USERS_UNUSABLE, refusal.code(), refusal::line);
            assertTrue(refusal.getMessage().contains("expected "), refusal::getMessage);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void changedBytesAreReadOrRefused() {
        Corpus.of(UsersFuzzTest.class, "users").mutate(3, FILES, this::users);
    }
}
