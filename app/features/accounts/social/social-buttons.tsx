import { Building2 } from 'lucide-react'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { providerLoginFailedMessage } from '../account-errors'
import { type OperationResult, useAuth } from '../session/auth-provider'
import { secondStepUrl } from '../sign-in/sign-in-urls'
import { type SignInParameters, signInByPopup } from './social-popup'
import type { SignInProvider } from './social-providers.server'

type SocialButtonsProps = {
  providers: SignInProvider[]
  /** The path of the page that follows a sign-in by redirects. */
  returnPath: string
  /** Whether the buttons only confirm who is signed in, so that another account is refused. */
  isConfirmation?: boolean
  /** Is called when the popup has signed the learner in. */
  onSignedIn(): void
}

/**
 * Buttons for Google, Facebook and single sign-on. They open a popup. Without scripts, they are
 * links that sign in by redirects.
 */
export function SocialButtons({
  providers,
  returnPath,
  isConfirmation = false,
  onSignedIn,
}: SocialButtonsProps) {
  const { trackOperation, refresh } = useAuth()
  const navigate = useNavigate()
  if (providers.length === 0) {
    return null
  }

  const signInParameters: SignInParameters = { from: returnPath }
  if (isConfirmation) {
    signInParameters.confirm = 'yes'
  }

  async function signIn({ id, name }: SignInProvider) {
    // The popup has to open in the event handler of the click, or the browser blocks it.
    const signInAttempt = signInByPopup(id, refresh, signInParameters).catch(
      (): OperationResult => ({ success: false, error: providerLoginFailedMessage(name) }),
    )
    const result = await trackOperation(signInAttempt)

    if (result.success && result.needsSecondStep) {
      await navigate(secondStepUrl(returnPath))
    } else if (result.success) {
      onSignedIn()
    } else {
      // biome-ignore lint/suspicious/noConsole: the specification wants it logged, and nothing shown in the form.
      console.info(`${name} sign-in: ${result.error}`)
    }
  }

  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {providers.map((provider) => (
        <SocialButton
          key={provider.id}
          provider={provider}
          signInParameters={signInParameters}
          onClick={() => signIn(provider)}
        />
      ))}
    </div>
  )
}

const logos: Partial<Record<string, () => ReactNode>> = {
  google: GoogleLogo,
  facebook: FacebookLogo,
}

type SocialButtonProps = {
  provider: SignInProvider
  signInParameters: SignInParameters
  onClick(): void
}

function SocialButton({ provider: { id, name }, signInParameters, onClick }: SocialButtonProps) {
  const Logo = logos[id] ?? OrganizationLogo
  // An organization's name is longer than that of a social network, so its button gets a whole row.
  const layoutClasses =
    Logo === OrganizationLogo ? 'py-2 leading-snug sm:col-span-2' : 'sm:only:col-span-2'

  function handlePress(event: MouseEvent | KeyboardEvent) {
    event.preventDefault()
    onClick()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a button could not work before the page's script has run.
    <a
      role="button"
      href={`/account/social/${id}?${new URLSearchParams(signInParameters)}`}
      onClick={handlePress}
      onKeyDown={(event) => event.key === ' ' && handlePress(event)}
      className={`inline-flex min-h-12 items-center justify-center gap-3 rounded-control border border-edge bg-surface px-4 font-semibold text-ink no-underline transition-[border-color,translate] duration-150 ease-settle hover:border-ink active:translate-y-px ${layoutClasses}`}
    >
      <Logo />
      <span className="min-w-0 [overflow-wrap:anywhere]">Continue with {name}</span>
    </a>
  )
}

function GoogleLogo() {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="size-5 shrink-0">
      <path
        fill="#4285f4"
        d="M22.56 12.25c0-.78-.07-1.53-.2-2.25H12v4.26h5.92a5.06 5.06 0 0 1-2.2 3.32v2.77h3.57c2.08-1.92 3.27-4.74 3.27-8.1Z"
      />
      <path
        fill="#34a853"
        d="M12 23c2.97 0 5.46-.98 7.28-2.66l-3.57-2.77c-.98.66-2.23 1.06-3.71 1.06-2.86 0-5.29-1.93-6.16-4.53H2.18v2.84A11 11 0 0 0 12 23Z"
      />
      <path
        fill="#fbbc05"
        d="M5.84 14.1a6.6 6.6 0 0 1 0-4.2V7.06H2.18a11 11 0 0 0 0 9.88l3.66-2.84Z"
      />
      <path
        fill="#ea4335"
        d="M12 5.38c1.62 0 3.06.56 4.21 1.64l3.15-3.15A11 11 0 0 0 2.18 7.06l3.66 2.84C6.71 7.3 9.14 5.38 12 5.38Z"
      />
    </svg>
  )
}

function FacebookLogo() {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="size-5 shrink-0">
      <circle cx="12" cy="12" r="11" fill="#0866ff" />
      <path
        fill="#ffffff"
        d="m16.3 14.9.5-3.3h-3.2V9.5c0-.9.4-1.8 1.9-1.8H17V4.9s-1.3-.2-2.5-.2c-2.6 0-4.2 1.5-4.2 4.4v2.5H7.4v3.3h2.9V23a11 11 0 0 0 3.3 0v-8.1h2.7Z"
      />
    </svg>
  )
}

function OrganizationLogo() {
  return <Building2 aria-hidden="true" size={20} className="shrink-0 text-muted" />
}
