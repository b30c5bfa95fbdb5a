// Starts the application with as many workers as WORKERS says.
import { startCluster } from "egg";

// Tillkit may take 20 seconds to end. By default, Egg.js kills a worker after five seconds.
process.env["GRACEFUL_TIMEOUT"] ??= "30000";
process.env["EGG_APP_CLOSE_TIMEOUT"] ??= "30000";
await startCluster({
  baseDir: import.meta.dirname,
  port: Number(process.env["PORT"] ?? 7001),
  workers: Number(process.env["WORKERS"] ?? 1),
});
