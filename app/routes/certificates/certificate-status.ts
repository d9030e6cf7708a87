import { certificateMessages } from '~/features/certificates/certificate-messages'
import {
  credentialHeaders,
  getSignedStatusList,
} from '~/features/certificates/credential/credential-queries.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/certificate-status'

const listNumber = /^[1-9]\d{0,5}$/

/** Responds with a signed Bitstring Status List, which says which certificates are invalid. */
export async function loader({ params }: Route.LoaderArgs) {
  if (!listNumber.test(params.list)) {
    throw new Response(certificateMessages.statusListNotFound, { status: 404 })
  }

  const statusList = await getSignedStatusList(db, Number(params.list), new Date())
  if (!statusList) {
    throw new Response(certificateMessages.statusListNotFound, { status: 404 })
  }

  return new Response(JSON.stringify(statusList), { headers: credentialHeaders })
}
