export { answerRequest, type PeerOf } from "./answer-request.js";
export type { NodeRequest, NodeResponse } from "./node-messages.js";
export { nodeListener, type NodeListener, type NodeListenerOptions } from "./node-listener.js";
export { splitTarget, type RequestTarget } from "./split-target.js";
