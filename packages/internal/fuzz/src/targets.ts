import type { FuzzTarget } from "./fuzz-target.js";
import { bills } from "./bills.js";
import { commandLine } from "./command-line.js";
import { control } from "./control.js";
import { countsFile } from "./counts-file.js";
import { metrics } from "./metrics.js";
import { notifications } from "./notifications.js";
import { payments } from "./payments.js";
import { wire } from "./wire.js";

/** Every component that processes input of untrusted senders. */
export const TARGETS: readonly FuzzTarget[] = [
  payments(),
  metrics(),
  notifications(),
  wire,
  control,
  bills,
  countsFile,
  commandLine,
];
