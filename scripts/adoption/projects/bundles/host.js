// A host with the operators' page. It imports every package that a host may bundle.
import { createServer } from "node:http";
import * as alipay from "@tillkit/alipay";
import * as client from "@tillkit/client";
import * as core from "@tillkit/core";
import { dashboardSurface } from "@tillkit/dashboard";
import * as host from "@tillkit/host";
import { memoryPorts } from "@tillkit/memory";
import { nodeListener } from "@tillkit/node";
import * as postgres from "@tillkit/postgres";
import * as runtime from "@tillkit/runtime";
import * as sandbox from "@tillkit/sandbox";
import * as sms from "@tillkit/sms";
import * as wechatPay from "@tillkit/wechat-pay";

const packages = { alipay, client, core, host, postgres, runtime, sandbox, sms, wechatPay };
for (const [name, exported] of Object.entries(packages))
  if (Object.keys(exported).length === 0) throw new Error(`${name} exports nothing.`);

const mountPath = "/dashboard";
const dashboard = dashboardSurface(memoryPorts(), { authorize: async () => undefined, mountPath });
const server = createServer(nodeListener({ [mountPath]: dashboard }));
server.listen(0, "127.0.0.1", () => console.log(`listening http://127.0.0.1:${server.address().port} `));
process.once("SIGTERM", () => server.close(() => process.exit(0)));
