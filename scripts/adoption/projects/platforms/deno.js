/* global Deno */
import { demoHandler } from "./demo-handler.js";

const onListen = ({ port }) => console.log(`listening http://127.0.0.1:${port} `);
Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, await demoHandler());
