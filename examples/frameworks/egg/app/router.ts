import { setTimeout as wait } from "node:timers/promises";
import type { Application } from "egg";

/** The application's own routes. */
export default function router(app: Application): void {
  const { router } = app;
  router.get("/health/ready", async (context) => {
    // Egg may load this file before `didLoad` has ended, which opens Tillkit.
    const health = await app.tillkit.health();
    context.status = health.ready ? 200 : 503;
    context.body = health;
  });
  router.post("/own", async (context) => {
    context.body = context.request.body;
  });
  router.get("/slow", async (context) => {
    await wait(2_000);
    context.body = "done";
  });
}
