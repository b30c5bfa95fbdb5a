export { answerRequest, type PeerOf } from "./answer-request.js";
export { nodeListener, type NodeListenerOptions } from "./node-listener.js";
export { splitTarget, type Target } from "./split-target.js";
