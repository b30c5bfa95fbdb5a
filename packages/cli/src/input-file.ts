import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { okAsync, ResultAsync } from "neverthrow";
import type { CliFailure } from "./failure.js";
import type { Io } from "./io.js";
import { fileFailure } from "./read-text.js";

/** A file to read from its beginning to its end. */
export interface Input {
  readonly stream: Readable;
  /** Size in bytes. Absent if it is unknown. */
  readonly size?: number;
}

/** Opens a file, or standard input for `-`. */
export function openInput({ stdin }: Pick<Io, "stdin">, file: string): ResultAsync<Input, CliFailure> {
  if (file === "-") return okAsync({ stream: stdin });
  const opened = async (): Promise<Input> => {
    const handle = await open(file);
    const { size } = await handle.stat();
    return { stream: handle.createReadStream(), size };
  };
  return ResultAsync.fromPromise(opened(), fileFailure);
}
