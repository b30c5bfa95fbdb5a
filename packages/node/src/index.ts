export { answerRequest, type PeerOf } from "./answer-request.js";
export { nodeListener, type NodeListenerOptions } from "./node-listener.js";
export { splitTarget, type RequestTarget } from "./split-target.js";
