import { respondUnknownPage } from '~/features/desk/desk-request.server'

/** Answers every path below /Desk that belongs to no page. */
export const loader = respondUnknownPage

export const action = respondUnknownPage

export default function DeskNotFoundRoute() {
  return null
}
