import { appsCommand } from "./commands/apps.js";
import { billsCommand } from "./commands/bills.js";
import { clientsCommand } from "./commands/clients.js";
import { doctorCommand } from "./commands/doctor.js";
import { downloadsCommand } from "./commands/downloads.js";
import { keysCommand } from "./commands/keys.js";
import { migrateCommand, planCommand } from "./commands/migrate.js";
import { ordersCommand } from "./commands/orders.js";
import { payToolsCommand } from "./commands/pay-tools.js";
import { serviceTypesCommand } from "./commands/service-types.js";
import type { Context } from "./context.js";
import { EXIT_CODES } from "./failure.js";
import { groupCommand } from "./settings.js";

const NOTES = `
Exit codes:
  ${EXIT_CODES.ok}  done
  ${EXIT_CODES.refused}  something was found, or a rule refused: repeating the command changes nothing
  ${EXIT_CODES.usage}  the command line, or a value in it, is wrong
  ${EXIT_CODES.unavailable}  the database, a file or a wallet adapter cannot be used now
  ${EXIT_CODES.schema}  the schema is not one this version can work with
  ${EXIT_CODES.unknown}  a wallet gave no definite answer: look with orders explain later, and repeat anything but a refund

Environment:
  DATABASE_URL       the PostgreSQL server; it may hold a password, so prefer this to --database-url
  DATA_DIR           the folder of an embedded database, instead of a server
  TILLKIT_SCHEMA     the schema of the tables
  TILLKIT_KEYS_FILE  the key file

First steps:
  $ export DATABASE_URL=postgres://tillkit@localhost/tillkit TILLKIT_KEYS_FILE=keys.json
  $ tillkit keys create
  $ tillkit migrate
  $ tillkit apps create --name Notes
  $ tillkit doctor`;

/** Creates the program with all its commands. */
export function createProgram(context: Context) {
  return groupCommand("tillkit")
    .description("Sets up a Tillkit host and looks after it.")
    .addCommand(keysCommand(context))
    .addCommand(migrateCommand(context))
    .addCommand(planCommand(context))
    .addCommand(doctorCommand(context))
    .addCommand(appsCommand(context))
    .addCommand(payToolsCommand(context))
    .addCommand(serviceTypesCommand(context))
    .addCommand(clientsCommand(context))
    .addCommand(downloadsCommand(context))
    .addCommand(ordersCommand(context))
    .addCommand(billsCommand(context))
    .addHelpText("after", NOTES);
}
