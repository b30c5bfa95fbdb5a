export { aliyunSmsSender, type AliyunOptions, type AliyunTemplate } from "./aliyun-sms-sender.js";
