package io.tributary.testkit.network;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * A filter of the IPv4 packets that pass a port in one direction, as a program of the kernel's classic packet filter
 * (Documentation/networking/filter.rst). Other packets, such as ARP's, always pass.
 *
 * @param addresses IPv4 addresses of the other ends whose packets are dropped
 * @param percent share of all other packets that are dropped at random by the kernel, 0 to 100
 */
record PacketFilter(Collection<String> addresses, int percent) {
    static final PacketFilter NONE = new PacketFilter(List.of(), 0);

    /** Ethernet header 14 bytes; in the IPv4 header after it the source is at 12, the destination at 16. */
    private static final int TYPE_AT = 12;

    private static final int SOURCE_AT = 26;
    private static final int DESTINATION_AT = 30;
    private static final int IPV4 = 0x800;
    private static final int LOAD_HALF = 0x28;
    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_NOT_LESS = 0x35;
    private static final int RETURN = 0x06;
    private static final long RANDOM_AT = 0xffff_f000L + 56; // SKF_AD_OFF + SKF_AD_RANDOM
    private static final int PASS = 0; // TC_ACT_OK
    private static final int DROP = 2; // TC_ACT_SHOT

    PacketFilter {
        addresses = List.copyOf(addresses);
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("expected 0 to 100 per cent, found " + percent);
        }
    }

    /** The program for packets that a machine sends, by destination address; else for packets that it receives, by source address. */
    String program(boolean isSent) {
        int dice = percent > 0 ? 2 : 0;
        int pass = 3 + addresses.size() + dice; // the last but one
        StringJoiner program = new StringJoiner(",", (pass + 2) + ",", "");
        program.add(instruction(LOAD_HALF, 0, 0, TYPE_AT));
        program.add(instruction(JUMP_IF_EQUAL, 0, pass - 2, IPV4));
        program.add(instruction(LOAD_WORD, 0, 0, isSent ? DESTINATION_AT : SOURCE_AT));
        int at = 3;
        for (String address : addresses) {
            program.add(instruction(JUMP_IF_EQUAL, pass - at, 0, number(address)));
            at++;
        }
        if (percent > 0) {
            program.add(instruction(LOAD_WORD, 0, 0, RANDOM_AT));
            program.add(instruction(JUMP_IF_NOT_LESS, 0, 1, Math.min(0xffff_ffffL, percent * (1L << 32) / 100)));
        }
        program.add(instruction(RETURN, 0, 0, PASS));
        return program.add(instruction(RETURN, 0, 0, DROP)).toString();
    }

    private static String instruction(int code, int ifTrue, int ifFalse, long operand) {
        return String.format(Locale.ROOT, "%d %d %d %d", code, ifTrue, ifFalse, operand);
    }

    private static long number(String address) {
        long number = 0;
        for (String part : address.split("\\.", -1)) {
            number = number << 8 | Integer.parseInt(part);
        }
        return number;
    }
}
