import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { surfaceRouter } from "@tillkit/express";
import { closeServer, serverLimits } from "@tillkit/runtime";
import { ShopController } from "./shop.controller.ts";
import { HOST, openHost, PORT, TRUST_PROXY } from "./tillkit.ts";

const { mounts, shop, log, stopOnSignal } = await openHost();

// Put your controllers into files of their own, because a test cannot import this one.
@Module({ controllers: [ShopController], providers: [{ provide: "shop", useValue: shop }] })
class AppModule {}

// Nest's own body parser would run first, and the wallets sign the raw bytes.
const app = await NestFactory.create<NestExpressApplication>(AppModule, { bodyParser: false });
app.set("trust proxy", TRUST_PROXY);
for (const [path, surface] of Object.entries(mounts)) app.use(path, surfaceRouter(surface));
app.useBodyParser("json");
Object.assign(app.getHttpServer(), serverLimits);
await app.listen(PORT, HOST);
log(`listening http://127.0.0.1:${PORT}`);
stopOnSignal(() => closeServer(app.getHttpServer()).then(() => app.close()));
