import "reflect-metadata";
import { type BeforeApplicationShutdown, Controller, Get, Inject, Module, Param, Post } from "@nestjs/common";
import { HttpAdapterHost, NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { surfaceRouter } from "@tillkit/express";
import { closeServer, serverLimits } from "@tillkit/runtime";
import { HOST, openHost, PORT, TRUST_PROXY } from "./tillkit.ts";

type Host = Awaited<ReturnType<typeof openHost>>;

@Controller()
class ShopController {
  // `tsx` emits no constructor types. Name the class to inject: `@Inject(MyService)`.
  constructor(@Inject("host") private readonly host: Host) {}

  // Take the customer from your log-in instead of the path.
  @Post("buy/:customer")
  buy(@Param("customer") customer: string) {
    return this.host.shop.buy(customer);
  }

  @Get("bought/:customer/:bizNo")
  bought(@Param("customer") customer: string, @Param("bizNo") bizNo: string) {
    return this.host.shop.check(customer, bizNo);
  }
}

@Module({ controllers: [ShopController], providers: [{ provide: "host", useFactory: openHost }] })
class AppModule implements BeforeApplicationShutdown {
  constructor(
    @Inject("host") private readonly host: Host,
    @Inject(HttpAdapterHost) private readonly nest: HttpAdapterHost,
  ) {}

  /** Ends the tasks and the running requests, then the storage. */
  beforeApplicationShutdown() {
    return this.host.stop(() => closeServer(this.nest.httpAdapter.getHttpServer()));
  }
}

// Nest's own body parser would run first, and the wallets sign the raw bytes.
const app = await NestFactory.create<NestExpressApplication>(AppModule, { bodyParser: false });
app.enableShutdownHooks(["SIGINT", "SIGTERM"], { useProcessExit: true });
app.set("trust proxy", TRUST_PROXY);
const { mounts, log } = app.get<Host>("host");
for (const [path, surface] of Object.entries(mounts)) app.use(path, surfaceRouter(surface));
app.useBodyParser("json");
Object.assign(app.getHttpServer(), serverLimits);
await app.listen(PORT, HOST);
log(`listening http://127.0.0.1:${PORT}`);
