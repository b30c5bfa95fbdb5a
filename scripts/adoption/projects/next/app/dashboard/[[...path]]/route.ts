import { dashboardSurface } from "@tillkit/dashboard";
import { fetchHandler } from "@tillkit/fetch";
import { memoryPorts } from "@tillkit/memory";
import { peerOf } from "../../../lib/peer-of";

const mountPath = "/dashboard";
const dashboard = dashboardSurface(memoryPorts(), { authorize: async () => undefined, mountPath });
const handle = fetchHandler({ [mountPath]: dashboard }, { peerOf });

export { handle as DELETE, handle as GET, handle as HEAD, handle as POST };
