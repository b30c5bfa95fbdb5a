import { pipeline, Readable, Transform, type TransformCallback } from "node:stream";
import { encodingProblem } from "@tillkit/core/text";
import { okAsync, type ResultAsync } from "neverthrow";
import type { CliFailure } from "./failure.js";
import type { Io } from "./io.js";
import { EncodingError, openGiven } from "./read-text.js";

/** A file to read from its beginning to its end. */
export interface Input {
  readonly stream: Readable;
  /** Size in bytes. Absent if it is unknown. */
  readonly size?: number;
  /**
   * Returns how many bytes of the file were read so far. Absent if `stream` yields the bytes of the
   * file unchanged, so that the reader can count them.
   */
  readonly bytesRead?: () => number;
}

/** Opens a file, or standard input for `-`. */
export function openInput({ stdin }: Pick<Io, "stdin">, file: string): ResultAsync<Input, CliFailure> {
  if (file === "-") return okAsync({ stream: stdin });
  return openGiven(file).map(({ content, size }) => ({
    stream: Readable.from(content, { objectMode: false }),
    size,
  }));
}

/**
 * Opens a text file like {@link openInput}.
 *
 * The stream fails with an `EncodingError` if the file is UTF-16 or compressed.
 */
export function openTextInput(io: Pick<Io, "stdin">, file: string): ResultAsync<Input, CliFailure> {
  return openInput(io, file).map((input) => ({ ...input, stream: checked(input.stream) }));
}

const HEAD = 4;

/** Passes a stream on if its first bytes may be UTF-8. */
function checked(source: Readable): Readable {
  let head: Buffer | undefined = Buffer.alloc(0);
  const release = (done: TransformCallback): void => {
    const bytes = head ?? Buffer.alloc(0);
    head = undefined;
    const problem = encodingProblem(bytes);
    done(problem === undefined ? null : new EncodingError(problem), bytes);
  };
  const guard = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      if (head === undefined) {
        done(null, chunk);
        return;
      }
      head = Buffer.concat([head, chunk]);
      if (head.length < HEAD) done();
      else release(done);
    },
    flush: (done) => {
      if (head === undefined) done();
      else release(done);
    },
  });
  // The reader of the guard receives the error of either stream.
  return pipeline(source, guard, () => undefined);
}
