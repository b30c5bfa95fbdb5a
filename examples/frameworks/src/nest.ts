import "reflect-metadata";
import { Controller, Get, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { surfaceRouter } from "@tillkit/express";
import { serverLimits } from "@tillkit/runtime";
import type { StartHost } from "./running-host.js";

@Controller()
class HelloController {
  @Get("hello")
  hello(): string {
    return "mine";
  }
}

@Module({ controllers: [HelloController] })
class AppModule {}

/** Starts a NestJS application on Express, with Tillkit in front of its controllers. */
export const startNest: StartHost = async ({ payments, notifications, metrics }, port) => {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, {
    forceCloseConnections: true,
    logger: ["error", "warn"],
  });
  // Before `listen`, which adds Nest's body parser: the wallets sign the raw bytes.
  app.use("/pay", surfaceRouter(payments));
  app.use("/wallets", surfaceRouter(notifications));
  app.use(surfaceRouter(metrics));
  Object.assign(app.getHttpServer(), serverLimits);
  await app.listen(port, "127.0.0.1");
  return { baseUrl: await app.getUrl(), close: () => app.close() };
};
