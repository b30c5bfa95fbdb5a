import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { MIGRATIONS } from "./migrations.js";

it("never changes the name and checksum of a released migration", () => {
  expect(MIGRATIONS.map(({ name, checksum }) => `${checksum}  ${name}`)).toEqual([
    "0a3b4c76fdb5949fcf83167ac1c9705af8d01c13f62c9a9f18b73a9e7946ba3b  0001-first-schema",
    "939fec10ec937c7d400dbd7823d78e18e62e953816bebef235f9b6cd765837a5  0002-bills",
    "f8cd625e460875b57ff9e723039f7e24b379dc06ae3a9cb268a8768328d2b738  0003-refund-states",
    "9b2c2f522bfdaeae1df73714d34bc8fcac9229c8d24f5ea00db5e4a22cff5438  0004-payer",
    "fe77ea73056a50d715eb865821899ed580429bd277b8479bfc7920bc2cdda799  0005-fund-flow",
    "dc18cb5aa99bde805e488fd27960ccd0881e7b1b468cb398dadcd463a1bcafb3  0006-return-url",
    "3d502f9ec67d9744f411134c00182b9b5677e6fb39117cc9b57a0f9043d3eb51  0007-bill-claims",
    "49f01c666f8787e4d7f87d8acc2fc0eb79eb1dec2ed0f9d82b5ac716e155f886  0008-customer-orders",
    "f13476fe06b5b579ad159b89183878617ed0226977a6e9993ba4c9f2fc5e90a1  0009-event-deliveries",
    "d738c196c3c6d21f2bd326d820fa3cb44bd6e6f3c229fa2a3b3c16b6c3405d9f  0010-operators",
    "6dbbe2bc6c8e15611d7858143cfd840e4bc1ad0152f86ef7a04bc108fa9f4ab5  0011-order-search",
    "ff7ef4c444da633302e98126926ee97b5dc0cacc688c8950568bfb7b23e03eea  0012-refund-approvals",
    "a1e0a1ca193a0b227ebb0090df62f8ffd5f7c09cb7c177a4376769338908d9f7  0013-retired-service-types",
    "1e4d48017f365229d92af93f8b1dffe74bb90b296eaa8ef3768fc9d0a8343c38  0014-bill-days",
    "1c07e7324a581afdcbef12825d461127264b4aa2821cf4c461674857c55cc6e7  0015-smaller-rows",
    "680702b5b85d4e5078f4a08d201a86ab631a6a204019ea45ee52da24021fd252  0016-session-tokens",
    "767521396eb78daa487056dc5591b914cd65c5c58af352ea84e6985caf42175d  0017-operator-grants",
    "62ea00ebb959bb0a810d0bfe00a67393c2936dfef81fdbb4475a65b2fafbb1e9  0018-operator-changes",
    "aa3cd863291aaa8cff8581eeb703984c014ececca7fa814c3292d663561b4f37  0019-operator-access",
    "121c1ac9d9837228001f1b0939700832084d317b85bba5aca23870df21ea743d  0020-lists",
    "8bf9eda07ad89ddc50393cae9892d083d2d1306313aa11a0bc812e347ee470a1  0021-event-details",
    "f12b0883062572902a5a47a24d1e8eac56aa50eb78deb3fcc21dbaba4f8ce62a  0022-alerts",
    "b4273a93b4df436355520eadd56df3af7e5715b24e3dca20358cfc24b55c29f1  0023-exceptions-of-orders",
    "e92e5ea2bafa8f40c7cffff9f65841e0830aaf1b6295e58211fa056269d7459b  0024-identity-checks",
    "9611f0f383783c8aceba6a0e89a5b2fbce1357b7040683b6252455cd32765eca  0025-imported-order-ids",
    "9be30785f22158cb8c9414d03142c02b3026e8a4d1baf456c41e3e599e915ba4  0026-two-live-codes",
    "2abbf4abf315f6c2ca41bb7b2ca3de11d125584551217acbd08532cd0304485e  0027-erasure",
    "2e1c3b1c063340995ef431b3ad3b41d4e21d4c4bf2357b4768132ba7a2078652  0028-valid-counts",
    "7fcb5d7d52e51b54b26b9dec0dae279239760991b9dfd0ba77213a0c2bbdaa14  0029-refund-sends",
    "dacdeeecebc7cfa43fe8d8833ea28888a44a636ef52d8537695495a345ebd0c1  0030-opened-exceptions",
    "214ad4f8bed3a27a860bd157882664b4732a081f4a18ea05a6d4d2cca092c678  0031-requester-keys",
    "e6dafee86c4f3714ca5ccf565baab25e2002009977a7424558b064360def2779  0032-customer-numbers",
    "3abcd22e36e4de218d1c2115688c9173bd92ab257878943127e2a5cdf7f7028e  0033-ended-clients",
    "fdf368384741355e6c8df7ae15f4bc18f520dc12308ec14bb973d448f17d8577  0034-bill-remedies",
    "8f05295b6abdd94831629a13da703141a172d61286e538190f444bb1986c816d  0035-wallet-options",
    "66e0b3620d5344bf3ac14610c21fff71af53e348d78a481666a9a091e0833540  0036-figures",
    "95be873804e149539ef2fff07de91f74b838bd937915739a4170a66cf869fee4  0037-exceptions-by-key",
    "3c51679ee63d2058a96d0be06d2db67286fcb7c888d28a124e3ed7a983101faf  0038-access-tokens",
    "5ccf22897b8db84235ac69178eaad4a291ff3281e8acf23924e4604532c34bbc  0039-store-names",
    "029f45ba3631867f4f623e8b76cf931f67b43fad07998f6402c8019d3d461398  0040-kept-bills",
    "5dabd8751406efd5e580f7c06e7314aed18f1ae2e4fb30c3f8da886885f434b6  0041-readiness",
    "255419cae18a8ca8fed465a675bb53e9b4c36adbc27481f64785f810fd19cbbc  0042-failed-events",
  ]);
});

it("lists every migration of its folder, in the order of their numbers", () => {
  const files = readdirSync(new URL("migrations/", import.meta.url)).sort();
  expect(MIGRATIONS.map(({ name }) => `${name}.ts`)).toEqual(files);
});
