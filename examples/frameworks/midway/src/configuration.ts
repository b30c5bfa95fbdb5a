import type { Server } from "node:http";
import { App, Configuration, HTTP_SERVER_KEY, type ILifeCycle, type IMidwayContainer } from "@midwayjs/core";
import * as koa from "@midwayjs/koa";
import { serverLimits } from "@tillkit/runtime";
import { type MountedTillkit, mountTillkit, setting } from "./mount-tillkit.js";

const config = {
  keys: setting("COOKIE_KEYS"),
  koa: { port: Number(process.env["PORT"] ?? 7001), serverOptions: serverLimits },
};

/** Opens Tillkit with the application, and ends it with the application. */
@Configuration({ imports: [koa], importConfigs: [{ default: config }] })
export class MainConfiguration implements ILifeCycle {
  @App("koa")
  app: koa.Application;

  #tillkit: MountedTillkit | undefined;

  async onReady(container: IMidwayContainer): Promise<void> {
    this.#tillkit = await mountTillkit(this.app);
    container.registerObject("tillkit", this.#tillkit);
  }

  async onServerReady(): Promise<void> {
    this.#tillkit?.start();
  }

  async onStop(container: IMidwayContainer): Promise<void> {
    // Midway closes the server too, but does not wait for the running requests.
    await this.#tillkit?.stop(container.get<Server>(HTTP_SERVER_KEY));
    console.log("Tillkit has stopped.");
  }
}
