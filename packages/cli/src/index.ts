export { commandHelp, type CommandHelp } from "./command-help.js";
export type { CliFailure, ExitReason } from "./failure.js";
export type { Io } from "./io.js";
export { run } from "./run.js";
export { installedWallets, type OpenWallets } from "./wallets.js";
