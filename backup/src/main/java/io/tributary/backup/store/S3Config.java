package io.tributary.backup.store;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import java.time.Duration;
import java.util.Optional;

/** The configuration keys of a backup in an S3 bucket. */
public record S3Config(
        @Key(value = "backup.s3.bucket", about = "Bucket to which finished binlog files are copied.")
        Optional<String> bucket,

        @Key(
                value = "backup.s3.endpoint",
                about = "Address of an S3-compatible store other than Amazon's, such as"
                        + " `https://minio.example:9000`.")
        Optional<String> endpoint,

        @Key(
                value = "backup.s3.path-style",
                byDefault = "true",
                about =
                        "Whether requests to backup.s3.endpoint name the bucket in the path (`https://host/bucket/name`), else before"
                                + " the host (`https://bucket.host/name`). At Amazon, without an endpoint, it is always before the host.")
        boolean pathStyle,

        @Key(value = "backup.s3.region", byDefault = "us-east-1", about = "Region of the bucket.")
        String region,

        @Key(
                value = "backup.s3.access-key",
                about = "Name of the access key; not set: the credentials of the environment are used,"
                        + " as by the AWS tools.")
        Optional<String> accessKey,

        @Key(value = "backup.s3.secret-key", secret = true, about = "The secret key that signs requests.")
        Optional<Secret> secretKey,

        @Key(
                value = "backup.s3.part",
                byDefault = "8MiB",
                min = "5MiB",
                max = "512MiB",
                about = "Bytes of one part of a multipart upload; each part is on the heap while it is sent.")
        ByteSize part,

        @Key(
                value = "backup.s3.parallel",
                byDefault = "4",
                min = "1",
                max = "64",
                about = "Parts of a file that are sent at the same time.")
        int parallel,

        @Key(
                value = "backup.s3.timeout",
                byDefault = "2min",
                min = "1s",
                max = "1h",
                about = "Maximum time of one call, including the retries that the client makes by itself.")
        Duration timeout) {}
