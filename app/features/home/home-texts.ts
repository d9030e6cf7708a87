/** The texts of the home page that Learnify comes with. Owners can replace them at the desk. */

export type HeroTexts = { title: string; text: string }
export type CategoryTexts = { title: string; text: string }
export type FeatureTexts = {
  title: string
  /** Null stands for a card that the owner has left out. */
  cards: ({ title: string; text: string } | null)[]
}

export const defaultHero: HeroTexts = {
  title: 'Learn whatever you want, whenever you want, however you want.',
  text: 'Courses by people who do the work they teach. Learn for five minutes or five hours: we keep your place.',
}

export const defaultFeatures: FeatureTexts = {
  title: 'Learning that fits around your life',
  cards: [
    {
      title: 'Your progress is never lost',
      text: 'A lesson counts the moment you finish it. Close the page mid-course and pick up the same lesson on another device.',
    },
    {
      title: 'Look before you enroll',
      text: 'Preview lessons are open to everyone. You don’t need an account.',
    },
    {
      title: 'Every video has captions',
      text: 'On the train, in a library, or in a language that isn’t your first.',
    },
    {
      title: 'Certificates anyone can verify',
      text: 'Each one has its own link. Employers open it and see what you finished, and when.',
    },
    {
      title: 'Exams that explain themselves',
      text: 'Every question comes with an explanation, so you learn why the right answer is right.',
    },
    {
      title: 'Private by design',
      text: 'No ads, no trackers and no third-party requests on any page.',
    },
  ],
}

export const defaultCategoryTexts: CategoryTexts = {
  title: 'Start with what makes you curious',
  text: 'From your first line of code to the light in a portrait: pick a field, then filter by level.',
}
