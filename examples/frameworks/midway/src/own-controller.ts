import { setTimeout as wait } from "node:timers/promises";
import { Controller, Get, Inject, Post } from "@midwayjs/core";
import type { Context } from "@midwayjs/koa";
import type { MountedTillkit } from "./mount-tillkit.js";

/** The application's own routes. */
@Controller("/")
export class OwnController {
  @Inject()
  ctx: Context;

  @Inject()
  tillkit: MountedTillkit;

  @Get("/health/ready")
  async ready() {
    const health = await this.tillkit.health();
    this.ctx.status = health.ready ? 200 : 503;
    return health;
  }

  @Post("/own")
  own() {
    return this.ctx.request.body;
  }

  @Get("/slow")
  async slow() {
    await wait(2_000);
    return "done";
  }
}
