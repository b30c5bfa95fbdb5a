import { serverLimits } from "@tillkit/runtime";
import type { Application, ILifecycleBoot } from "egg";
import { type MountedTillkit, mountTillkit } from "./mount-tillkit.js";

declare module "egg" {
  interface Application {
    tillkit: MountedTillkit;
  }
}

/** Opens Tillkit with each worker of the application, and ends it with the worker. */
export default class AppBoot implements ILifecycleBoot {
  readonly #app: Application;

  constructor(app: Application) {
    this.#app = app;
  }

  async didLoad(): Promise<void> {
    this.#app.tillkit = await mountTillkit(this.#app);
    this.#app.once("server", (server: object) => void Object.assign(server, serverLimits));
  }

  async serverDidReady(): Promise<void> {
    this.#app.tillkit.start(); // any number of workers share the background tasks
  }

  async beforeClose(): Promise<void> {
    await this.#app.tillkit.stop(this.#app.server);
    this.#app.logger.info("Tillkit has stopped.");
  }
}
