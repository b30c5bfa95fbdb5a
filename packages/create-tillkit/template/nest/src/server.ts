import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { TillkitClient } from "@tillkit/client";
import { surfaceRouter } from "@tillkit/express";
import { closeServer, serverLimits } from "@tillkit/runtime";
import { ShopController } from "./shop.controller.ts";
import { HOST, openHost, PORT, TRUST_PROXY } from "./tillkit.ts";

const host = await openHost();

const providers = [
  { provide: "host", useValue: host },
  { provide: "shop", useValue: host.shop },
  { provide: TillkitClient, useValue: host.client },
];
// Put your controllers into files of their own, because a test cannot import this one.
@Module({ controllers: [ShopController], providers })
class AppModule {}

const app = await NestFactory.create<NestExpressApplication>(AppModule);
app.set("trust proxy", TRUST_PROXY);
for (const [path, surface] of Object.entries(host.mounts)) app.use(path, surfaceRouter(surface));
Object.assign(app.getHttpServer(), serverLimits);
await app.listen(PORT, HOST);
host.log(`listening http://127.0.0.1:${PORT}`);
host.stopOnSignal(() => closeServer(app.getHttpServer()).then(() => app.close()));
