console.log('stemma');
