/**
 * The folder of a seed that is made into files: {@code dump/} in the format of mydumper, and beside it what is loaded after it and a script that loads
 * all. {@link io.tributary.seed.folder.DumpFolder} makes files under temporary names; {@code dump/metadata} is the last one, so that no program takes a
 * folder that is not complete.
 */
package io.tributary.seed.folder;
