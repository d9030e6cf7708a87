/** /Desk/Export: downloads a table of the desk as a CSV file. */
import type { MiddlewareFunction } from 'react-router'
import { findSignedInStaff, respondUnknownPage } from '~/features/desk/desk-request.server'
import { exportTable } from '~/features/desk/export-table.server'

/** Sends a table as a CSV file. A route action could only return data for a page. */
const sendTable: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const signedInStaff = findSignedInStaff(context)
  if (request.method !== 'POST' || signedInStaff === null) {
    return next()
  }

  const file = await exportTable(request, signedInStaff)
  return file ?? next()
}

export const middleware = [sendTable]

/** Without a table to send, the page does not exist. */
export const loader = respondUnknownPage

export const action = respondUnknownPage

export default function DeskExportRoute() {
  return null
}
