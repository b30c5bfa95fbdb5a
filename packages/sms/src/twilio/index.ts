export { twilioSmsSender, type TwilioOptions } from "./twilio-sms-sender.js";
