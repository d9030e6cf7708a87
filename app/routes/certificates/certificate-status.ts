import { statusListNotFound } from '~/features/certificates/certificate-messages'
import {
  credentialHeaders,
  findStatusList,
} from '~/features/certificates/credential/credential-queries.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/certificate-status'

/** A signed Bitstring Status List of the certificates that are no longer valid. */
export async function loader({ params }: Route.LoaderArgs) {
  const list = /^[1-9]\d{0,5}$/.test(params.list)
    ? await findStatusList(db, Number(params.list), new Date())
    : null
  if (!list) {
    throw new Response(statusListNotFound, { status: 404 })
  }

  return new Response(JSON.stringify(list), { headers: credentialHeaders })
}
