/** Checkpoint storage on S3. Only here is the AWS SDK imported. */
@NullMarked
package dev.vigil.engine.s3;

import org.jspecify.annotations.NullMarked;
