export type { Autofill } from "./autofill.js";
export {
  twilioSmsSender,
  type TwilioOptions,
  type TwilioSender,
  type TwilioTemplate,
} from "./twilio-sms-sender.js";
export type { Templates, WithLanguages } from "../templates.js";
