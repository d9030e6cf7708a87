import { db, openDatabaseForCommand } from '~/server/database/client.server'
import { setDisabled } from './account-queries.server'

/** `npm run accounts -- disable EMAIL` and `enable EMAIL`; works beside a running product and without one. */
const [action, email = ''] = process.argv.slice(2)
if ((action === 'disable' || action === 'enable') && email !== '') await change(email, action === 'disable')
else fail('Usage: npm run accounts -- disable EMAIL\n       npm run accounts -- enable EMAIL')

async function change(email: string, disabled: boolean): Promise<void> {
  const close = await openDatabaseForCommand()
  const found = await setDisabled(db, email.trim().toLowerCase(), disabled).finally(close)
  if (!found) fail('No account has this email address.')
  else process.stdout.write(`The account is ${disabled ? 'disabled and signed out everywhere' : 'enabled'}.\n`)
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
