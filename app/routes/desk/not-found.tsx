import { respondUnknownPage } from '~/features/desk/desk-request.server'

/** A path below /Desk that does not exist, for anyone. */
export const loader = respondUnknownPage

export const action = respondUnknownPage

export default function DeskNotFoundRoute() {
  return null
}
