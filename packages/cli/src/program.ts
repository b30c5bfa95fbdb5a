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
  ${EXIT_CODES.refused}  the command found a problem, or Tillkit does not allow the operation; a retry gives the same result
  ${EXIT_CODES.usage}  the command line, or a value in it, is wrong
  ${EXIT_CODES.unavailable}  the database, a file or a wallet adapter is unavailable
  ${EXIT_CODES.schema}  this version does not support the schema
  ${EXIT_CODES.unknown}  a wallet gave no definite response: repeat the command later; repeat a refund with the same --refund-no

Environment:
  DATABASE_URL       the PostgreSQL server; other users can see a password in --database-url, so prefer this variable
  DATA_DIR           the folder of an embedded database, instead of DATABASE_URL
  TILLKIT_SCHEMA     the schema that contains the tables (default: tillkit)
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
    .description("Set up and operate a Tillkit host.")
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
