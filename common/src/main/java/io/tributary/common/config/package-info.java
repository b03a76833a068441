/**
 * Typed configuration: a key is an annotated record component, declared once. {@link io.tributary.common.config.ConfigReader}
 * makes the records from a file; {@link io.tributary.common.config.ConfigPage} makes the page of all keys.
 */
package io.tributary.common.config;
