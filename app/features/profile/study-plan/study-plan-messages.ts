/** The texts of the page that stops reminders. */
export const stopTexts = {
  invalidLink: {
    title: 'We couldn’t read this link',
    text: 'This link isn’t complete. You can turn reminders off in your settings.',
  },
  question: {
    title: 'Stop study reminders?',
    text: 'You’ll no longer get emails about your weekly goal. Your goal won’t change.',
  },
  stopped: {
    title: 'Reminders stopped',
    text: 'You won’t get any more reminders. Your weekly goal won’t change, and you can turn reminders back on anytime.',
  },
  button: 'Stop reminders',
} as const
