import type { MiddlewareFunction } from 'react-router'
import { unknownPage } from '~/features/desk/desk-request.server'
import { exportTable } from '~/features/desk/export-table.server'

/** Sends a table as a CSV file. A middleware does it, because the file is not a page's data. */
const sendTable: MiddlewareFunction<Response> = async ({ request }, next) => {
  const file = request.method === 'POST' ? await exportTable(request) : null
  return file ?? next()
}

export const middleware = [sendTable]

/** Reached only without a table to send: then this is an unknown page. */
export async function loader() {
  throw await unknownPage()
}

export async function action() {
  throw await unknownPage()
}

export default function DeskExportRoute() {
  return null
}
