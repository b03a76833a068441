/** Programs to learn from, run by scripts in bin/: what a user's own coordinator would do. */
package io.tributary.local.example;
