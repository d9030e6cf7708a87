import { isRouteErrorResponse, useRouteError } from 'react-router'
import { UnknownPage } from '~/features/home/home-page'

/** Shows the 404 of `unknownPage`. The root's error boundary shows all other errors. */
export function UnknownPageBoundary() {
  const error = useRouteError()
  if (!isRouteErrorResponse(error) || error.status !== 404 || !error.data?.home) {
    throw error
  }

  return <UnknownPage home={error.data.home} />
}
