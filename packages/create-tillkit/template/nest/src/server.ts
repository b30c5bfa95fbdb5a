import "reflect-metadata";
import { Controller, Get, Inject, Module, Param, Post } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { surfaceRouter } from "@tillkit/express";
import { serverLimits } from "@tillkit/runtime";
import type { Shop } from "./shop.ts";
import { HOST, openHost, PORT, TRUST_PROXY } from "./tillkit.ts";

const { mounts, shop, log, stopOnSignal } = await openHost();

@Controller()
class ShopController {
  // `tsx` emits no constructor types. Name the class to inject: `@Inject(MyService)`.
  constructor(@Inject("shop") private readonly shop: Shop) {}

  // Take the customer from your log-in instead of the path.
  @Post("buy/:customer")
  buy(@Param("customer") customer: string) {
    return this.shop.buy(customer);
  }

  @Get("bought/:customer/:bizNo")
  bought(@Param("customer") customer: string, @Param("bizNo") bizNo: string) {
    return this.shop.check(customer, bizNo);
  }
}

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
stopOnSignal(() => {
  app.getHttpServer().keepAliveTimeout = 1; // a busy connection ends after its response
  return app.close();
});
