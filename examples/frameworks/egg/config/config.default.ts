import { join } from "node:path";
import { setting } from "../mount-tillkit.js";

interface AppInfo {
  readonly baseDir: string;
}

export default function config({ baseDir }: AppInfo) {
  return {
    keys: setting("COOKIE_KEYS"),
    logger: { dir: join(baseDir, "logs"), consoleLevel: "INFO", disableConsoleAfterReady: false },
    // For this example, which has no pages. Tillkit answers before these checks.
    security: { csrf: false },
  };
}
