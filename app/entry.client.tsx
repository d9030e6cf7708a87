import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { buildHeader } from './server/build-header'
import { watchAnswers } from './ui/answers'

declare global {
  interface Window {
    /** React Router's list of this page's routes and scripts. */
    __reactRouterManifest?: { version: string }
  }
}

if (import.meta.env.PROD) watchAnswers({ header: buildHeader, build: window.__reactRouterManifest?.version ?? '' })

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
