import { unknownPage } from '~/features/desk/desk-request.server'

/** A path below /Desk that does not exist, for anyone. */
export async function loader() {
  throw await unknownPage()
}

export async function action() {
  throw await unknownPage()
}

export default function DeskNotFoundRoute() {
  return null
}
