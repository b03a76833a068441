package io.tributary.common;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The recorded inputs of a fuzz target, in the folder where Jazzer also finds them ({@code <Class>Inputs/<method>}), and random changes of
 * them. A failure prints the seed and the input, which is then added as a file of the corpus.
 */
public final class Corpus {
    private static final byte[] ODD = {
        0, 1, 4, 0x7f, (byte) 0x80, (byte) 0xfa, (byte) 0xfb, (byte) 0xfc, (byte) 0xfe, -1
    };

    private final List<byte[]> inputs = new ArrayList<>();

    private Corpus(Class<?> test, String method) {
        try {
            Path folder =
                    Path.of(Objects.requireNonNull(test.getResource(test.getSimpleName() + "Inputs/" + method), method)
                            .toURI());
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) {
                    inputs.add(Files.readAllBytes(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    public static Corpus of(Class<?> test, String method) {
        return new Corpus(test, method);
    }

    /** Passes this many changed inputs to the target. */
    public void mutate(long seed, int rounds, Consumer<byte[]> target) {
        Random random = new Random(seed);
        for (int i = 0; i < rounds; i++) {
            byte[] input = inputs.get(random.nextInt(inputs.size()));
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                input = changed(input, random);
            }
            try {
                target.accept(input);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(
                        "seed " + seed + ", round " + i + ": " + HexFormat.of().formatHex(input), e);
            }
        }
    }

    private byte[] changed(byte[] input, Random random) {
        int at = random.nextInt(input.length + 1);
        byte[] result = input.clone();
        switch (random.nextInt(6)) {
            case 0 -> {
                return Arrays.copyOf(input, at);
            }
            case 1 -> {
                byte[] longer = Arrays.copyOf(input, input.length + 1 + random.nextInt(16));
                for (int i = input.length; i < longer.length; i++) {
                    longer[i] = (byte) random.nextInt(256);
                }
                return longer;
            }
            case 2 -> { // the end of another input
                byte[] other = inputs.get(random.nextInt(inputs.size()));
                byte[] spliced = Arrays.copyOf(input, Math.max(at, other.length));
                System.arraycopy(
                        other, Math.min(at, other.length), spliced, at, other.length - Math.min(at, other.length));
                return spliced;
            }
            case 3 -> {
                for (int i = at; i < Math.min(input.length, at + 8); i++) {
                    result[i] = ODD[random.nextInt(ODD.length)];
                }
            }
            case 4 -> {
                if (at < input.length) {
                    result[at] ^= (byte) (1 << random.nextInt(8));
                }
            }
            default -> {
                if (at < input.length) {
                    result[at] = (byte) random.nextInt(256);
                }
            }
        }
        return result;
    }
}
