import { alarmsCommand } from "./commands/alarms.js";
import { alertsCommand } from "./commands/alerts.js";
import { appsCommand } from "./commands/apps.js";
import { auditCommand } from "./commands/audit.js";
import { billsCommand } from "./commands/bills.js";
import { completionCommand } from "./commands/completion.js";
import { customersCommand } from "./commands/customers.js";
import { sandboxCommand } from "./commands/sandbox.js";
import { sessionsCommand } from "./commands/sessions.js";
import { clientsCommand } from "./commands/clients.js";
import { devCommand } from "./commands/dev.js";
import { distributeCommand } from "./commands/distribute.js";
import { doctorCommand } from "./commands/doctor.js";
import { downloadsCommand } from "./commands/downloads.js";
import { eventsCommand } from "./commands/events.js";
import { exportCommand } from "./commands/export.js";
import { importCommand } from "./commands/import.js";
import { loginCommand, logoutCommand } from "./commands/login.js";
import { keysCommand } from "./commands/keys.js";
import { migrateCommand, planCommand } from "./commands/migrate.js";
import { operatorsCommand } from "./commands/operators.js";
import { ordersCommand } from "./commands/orders.js";
import { payToolsCommand } from "./commands/pay-tools.js";
import { refundsCommand } from "./commands/refunds.js";
import { reportsCommand } from "./commands/reports.js";
import { serviceTypesCommand } from "./commands/service-types.js";
import { statusCommand } from "./commands/status.js";
import { storesCommand } from "./commands/stores.js";
import type { Context } from "./context.js";
import { EXIT_CODES, EXIT_MEANINGS } from "./failure.js";
import { everyCommand } from "./every-command.js";
import { noServerOption } from "./server/address.js";
import { groupCommand } from "./settings.js";
import { programVersion } from "./version.js";

const EXIT_NAMES = ["ok", "refused", "usage", "unavailable", "schema", "unknown"] as const;
const EXIT_LINES = EXIT_NAMES.map((name) => `  ${EXIT_CODES[name]}  ${EXIT_MEANINGS[name]}`).join("\n");

const NOTES = `
Exit codes:
${EXIT_LINES}

Environment:
  DATABASE_URL              the PostgreSQL server; other users can see a password in --database-url, so prefer this variable
  DATA_DIR                  the folder of an embedded database, instead of DATABASE_URL
  TILLKIT_SCHEMA            the schema that contains the tables (default: tillkit)
  TILLKIT_KEYS_FILE         the key file
  TILLKIT_POLICY_FILE       the policy file, the same as the hosts'
  TILLKIT_WALLET_A_GATEWAY  the gateway of WeChat Pay for DEV pay tools, such as a sandbox
  TILLKIT_WALLET_B_GATEWAY  the gateway of Alipay for DEV pay tools
  TILLKIT_ALERT_FEISHU_URL  one of the alert channels of the hosts, for \`tillkit alerts test\`
  TILLKIT_SERVER            the operators' page of a running host, for commands with --server, instead of a database
  XDG_CONFIG_HOME           the folder of the configuration, with the sessions of \`tillkit login\` (default: ~/.config)
  TILLKIT_OPERATOR          the name of the operator in the audit log (default: the user name on this machine)
  NO_COLOR                  turns colours off; without it, only a terminal gets colours

Try it, without a database and a wallet account:
  $ tillkit dev

First steps of a host:
  $ export DATABASE_URL=postgres://tillkit@localhost/tillkit TILLKIT_KEYS_FILE=keys.json
  $ tillkit keys create
  $ tillkit migrate
  $ tillkit apps create --name Notes
  $ tillkit doctor`;

/** Creates the program with all its commands. */
export function createProgram(context: Context) {
  const program = groupCommand("tillkit");
  program
    .description("Set up and operate a Tillkit host.")
    .version(programVersion(), "--version", "print the version of this program")
    .addCommand(devCommand(context))
    .addCommand(sandboxCommand(context))
    .addCommand(keysCommand(context))
    .addCommand(migrateCommand(context))
    .addCommand(planCommand(context))
    .addCommand(distributeCommand(context))
    .addCommand(doctorCommand(context))
    .addCommand(appsCommand(context))
    .addCommand(payToolsCommand(context))
    .addCommand(serviceTypesCommand(context))
    .addCommand(clientsCommand(context))
    .addCommand(downloadsCommand(context))
    .addCommand(statusCommand(context))
    .addCommand(alarmsCommand(context))
    .addCommand(storesCommand(context))
    .addCommand(ordersCommand(context))
    .addCommand(refundsCommand(context))
    .addCommand(customersCommand(context))
    .addCommand(sessionsCommand(context))
    .addCommand(billsCommand(context))
    .addCommand(reportsCommand(context))
    .addCommand(eventsCommand(context))
    .addCommand(alertsCommand(context))
    .addCommand(operatorsCommand(context))
    .addCommand(auditCommand(context))
    .addCommand(importCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(loginCommand(context))
    .addCommand(logoutCommand(context))
    .addCommand(completionCommand(context, () => program))
    .addHelpText("after", NOTES);
  for (const command of everyCommand(program))
    if (command.commands.length === 0 && !command.options.some(({ long }) => long === "--server"))
      command.addOption(noServerOption());
  return program;
}
