// Tries to lock a folder on command, prints the result, and keeps the lock until it is killed.
import { once } from "node:events";
import { lockFolder } from "../embedded/folder-lock.js";

const [folder = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
await once(process.stdin, "data");
const lock = await lockFolder(folder);
process.stdout.write(lock.isOk() ? "mine\n" : `${lock.error.message}\n`);
setInterval(() => undefined, 1_000);
