import { LoaderCircle, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '~/ui/button'
import { formatClock } from '~/ui/format-duration'
import { lessonMessages } from '../../lesson-messages'
import type { useRenewableVideo } from './renewable-video'
import type { Video } from './use-video'

type VideoOverlayProps = {
  player: Video
  renewableVideo: ReturnType<typeof useRenewableVideo>
  /** The position at which the video starts or resumes. */
  startSeconds: number
  /** What is displayed over the last picture. */
  ending: ReactNode
}

/**
 * Displays at most one thing over the video: a problem, the ending, a play button, or a spinner.
 */
export function VideoOverlay({ player, renewableVideo, startSeconds, ending }: VideoOverlayProps) {
  const { state, play, frame } = player
  const isResuming = startSeconds > 0

  if (state.hasFailed && !renewableVideo.isRenewing) {
    const tryAgain = () => {
      renewableVideo.tryAgain()
      // The focus would be lost with this button.
      frame.current?.focus()
    }

    return (
      <DarkOverlay>
        <p className="text-lg font-semibold">{lessonMessages.noVideo}</p>
        <Button variant="secondary" onClick={tryAgain}>
          Try again
        </Button>
      </DarkOverlay>
    )
  }

  if (state.hasEnded) {
    return (
      <DarkOverlay>
        {ending}
        <Button variant="quiet" className="min-h-9 text-white hover:bg-white/15" onClick={play}>
          Watch again
        </Button>
      </DarkOverlay>
    )
  }

  if (state.isUntouched) {
    return (
      <div className="pointer-events-none absolute inset-x-0 top-0 bottom-20 grid place-items-center @2xl/player:bottom-0">
        <Button
          onClick={play}
          className="pointer-events-auto min-h-14 shadow-raised outline-white data-[round=true]:size-18 data-[round=true]:rounded-full data-[round=true]:px-0"
          data-round={!isResuming}
        >
          <Play aria-hidden="true" fill="currentColor" size={isResuming ? 18 : 30} />
          {isResuming ? (
            `Resume at ${formatClock(startSeconds)}`
          ) : (
            <span className="sr-only">Play video</span>
          )}
        </Button>
      </div>
    )
  }

  if (!state.isWaiting) {
    return null
  }

  return (
    <div className="pointer-events-none absolute inset-0 grid animate-[appear_200ms_600ms_both] place-items-center text-white">
      <LoaderCircle aria-hidden="true" size={48} className="animate-spin" />
      <span role="status" className="sr-only">
        Loading
      </span>
    </div>
  )
}

/** Covers the whole video with a dark background. */
function DarkOverlay({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center-safe gap-2 overflow-y-auto bg-black/80 p-3 text-center text-white @2xl/player:gap-4 @2xl/player:pb-24">
      {children}
    </div>
  )
}
